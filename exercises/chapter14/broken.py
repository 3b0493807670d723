"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import body, broken, edit

SPLIT = "split_heads(each_token(layer, x), self.heads)"


@broken("gpt.windows")
class WINDOWS:
    pieces_of_a_long_sequence = edit("+ np.arange(length)", "+ np.arange(length)[::-1]")
    """pieces of a long sequence,"""

    a_row_of_inputs = edit("+ np.arange(length)", "+ np.arange(length)[::-1]")
    """A row of inputs is a piece of `tokens`;"""

    its_row_of_targets = edit("tokens[places + 1]", "tokens[(places + 2) % len(tokens)]")
    """its row of targets is the piece that begins *one token later*,"""

    that_targets_i_t = edit("tokens[places + 1]", "tokens[places + 1][:, ::-1]")
    """so that `targets[i, t]` is what follows `inputs[i, t]`."""


@broken("gpt.causal_mask")
class CAUSAL_MASK:
    at_itself_and_at_everything = edit("dtype=bool)", "dtype=bool), -1")
    """at itself and at everything before it,"""

    at_nothing_after = edit("dtype=bool)", "dtype=bool), 1")
    """but at nothing after it."""


@broken("gpt.attention")
class ATTENTION:
    the_means = edit("weights @ v,", "weights @ v * float(v.shape[-2]),")
    """the means, `(…, T, e)`,"""

    the_softmax_over_the_keys = edit(" / math.sqrt(q.shape[-1])", "")
    """the softmax over the *keys* of `q · k / √d`."""


@broken("gpt.split_heads")
class SPLIT_HEADS:
    def on(x, heads):
        """and so on."""
        batch, length, dim = x.shape
        two = 2 * (dim // heads)
        order = [*range(two), *range(dim - 1, two - 1, -1)]
        x = x @ Tensor(np.eye(dim)[:, order], dtype=x.dtype, requires_grad=False)
        return x.reshape(batch, length, heads, dim // heads).transpose((0, 2, 1, 3))


@broken("gpt.each_token")
class EACH_TOKEN:
    the_layer_takes_rows = body("return layer(x)")
    """The layer takes rows, `(rows, C)`,"""

    each_token_is_a_row = edit("layer(x.reshape", "layer(x.transpose((1, 0, 2)).reshape")
    """each token is a row."""


@broken("gpt.MultiHeadAttention")
class MULTIHEADATTENTION:
    heads_how_many_there = edit(
        "self.heads = heads", "self.heads = dim", target="gpt.MultiHeadAttention.__init__"
    )
    """heads: how many there are."""


@broken("gpt.MultiHeadAttention.__init__")
class MULTIHEADATTENTION_INIT:
    keep_heads = edit("self.heads = heads", "self.heads = 1")
    """keep `heads`."""


@broken("gpt.MultiHeadAttention.forward")
class MULTIHEADATTENTION_FORWARD:
    the_layers_of_these_names = edit(
        "self.query, self.key, self.value", "self.query, self.value, self.key"
    )
    """The layers of these names make queries, keys and values from `x`,"""

    which_are_split_into_heads = edit(SPLIT, SPLIT.replace("self.heads", "1"))
    """which are split into heads."""

    the_result = edit("each_token(self.output, join_heads(means))", "x")
    """the result, `(B, T, C)`,"""

    the_weights_of_every_head = edit("), weights", "), weights.transpose()")
    """and the weights of every head, `(B, H, T, T)`."""


@broken("gpt.gelu")
class GELU:
    value_and_gradient_are_finite = edit(
        "x * ops.sigmoid(bent)", "x / (ops.exp(bent * -1.0) + 1.0)"
    )
    """value and gradient are finite for every `x` from -1000 to 1000."""


@broken("gpt.Block")
class BLOCK:
    attention_multiheadattention_of_dim = edit(
        "(dim, heads, dtype)", "(dim, 1, dtype)", target="gpt.Block.__init__"
    )
    """attention: MultiHeadAttention of `dim` and `heads`."""


@broken("gpt.Block.forward")
class BLOCK_FORWARD:
    the_norm_comes_first = edit(
        "each_token(self.expand, each_token(self.norm2, x))",
        "each_token(self.norm2, each_token(self.expand, x)[..., : x.shape[-1]])",
    )
    """The norm comes first in both (*pre-norm*),"""

    the_way_around_holds_x = edit("return x +", "return each_token(self.norm2, x) +")
    """and the way around holds `x` as it was."""


@broken("gpt.cross_entropy")
class CROSS_ENTROPY:
    logits = edit("int(counts.sum())", "int(counts.reshape(-1, *counts.shape[-2:])[0].sum())")
    """logits: `(…, V)`;"""


@broken("gpt.train_step")
class TRAIN_STEP:
    then_scale_the_gradients = edit("parameters(), max_norm)", "parameters(), max(max_norm, 1.0))")
    """then scale the gradients of all parameters of the model down to `max_norm` together
    (`clip_grad_norm`), let the optimizer step,"""

    def then_the_scheduler(model, optimizer, scheduler, inputs, targets, max_norm):
        """and then the scheduler."""
        if any(optimizer.steps):
            scheduler.step()
        optimizer.zero_grad()
        loss = cross_entropy(model(inputs), targets)
        loss.backward()
        clip_grad_norm(model.parameters(), max_norm)
        optimizer.step()
        return float(loss.data.item())


@broken("gpt.next_probabilities")
class NEXT_PROBABILITIES:
    small_ones_make_the_likeliest = edit("/ temperature", "/ max(temperature, 1.0)")
    """Small ones make the likeliest likelier;"""

    large_ones_bring_all_closer = edit("/ temperature", "/ min(temperature, 1.0)")
    """large ones bring all closer together."""

    top_k_only_the_k_tokens = edit(
        ("np.sort(scores)[-top_k]", "np.sort(scores)[top_k - 1]"),
        ("scores >= lowest", "scores <= lowest"),
    )
    """top_k: only the k tokens with the highest scores can be drawn;"""

    the_others_have_probability = edit("-np.inf", "lowest - 1.0")
    """the others have probability 0."""

    all_can_be_drawn = edit("if top_k is not None and top_k < len(scores):", "if top_k:")
    """all can be drawn."""

    valueerror_temperature_is_not = edit("temperature <= 0 or", "")
    """ValueError: `temperature` is not positive,"""

    top_k_is_less_than = edit("and top_k < 1)", "and top_k < -1)")
    """or `top_k` is less than 1."""


@broken("gpt.generate")
class GENERATE:
    it_gets_only_that_many = edit("-model.length :", ": model.length")
    """It gets only that many of the last ones,"""

    never_more = edit("[-model.length :]", "")
    """and never more."""

    a_list_or_an_ndarray = edit("[int(token) for token in tokens]", "list.copy(tokens)")
    """a list or an ndarray,"""

    which_stays_as_it_was = edit(
        "[int(token) for token in tokens]",
        "tokens if isinstance(tokens, list) else tokens.tolist()",
    )
    """which stays as it was."""
