"""Questions of chapter 9."""

from grader.course import Question

QUESTIONS = (
    Question(
        "chapter9.q.batch_means",
        "A loader gives a batch of 4 samples with a mean loss of 1.0, and a last batch of 1 sample "
        "with a loss of 6.0. What is the mean loss per sample?",
        answer="2.0",
        choices=("2.0", "3.5", "7.0"),
        why="(4 · 1.0 + 1 · 6.0) / 5 = 2.0. The mean of the two batch means is 3.5, and wrong: the "
        "last sample would count four times as much as each of the others.",
    ),
    Question(
        "chapter9.q.patience",
        "`EarlyStopping(patience=2)` gets the losses 3.0, 2.0, 2.5, 1.9, 1.9, 2.2. At which of "
        "them, counted from 1, does `update` return True for the first time?",
        answer="6",
        choices=("4", "5", "6", "never"),
        why="2.5 is no improvement, but 1.9 is a new best and the count starts again. The second "
        "1.9 is equal, so it is no improvement, and 2.2 is the second one in a row.",
    ),
    Question(
        "chapter9.q.zero_grad",
        "You move `zero_grad()` from the beginning of `train_step` to its end, after `step()`. "
        "Does the training change? And if you move it between `backward()` and `step()`?",
        rubric=(
            "At the end, nothing changes as long as no gradients are there before the first step.",
            "If something else called backward before, its gradients get into the first step.",
            "Between backward and step, the optimizer finds no gradients and nothing is learned.",
        ),
    ),
    Question(
        "chapter9.q.eval_mode",
        "An `evaluate` forgets to switch back to training mode, and it is called after every "
        "epoch. The network has Dropout. No error appears. What happens, and how could you "
        "notice?",
        rubric=(
            "From the second epoch on, the network trains without Dropout (and BatchNorm uses its "
            "running statistics without updating them).",
            "It overfits sooner: the training loss drops faster than without the mistake.",
            "Check `model.training` inside the loop, or test that the mode after evaluate is the "
            "mode before it.",
        ),
    ),
    Question(
        "chapter9.q.test_set",
        "You try 200 settings and keep the one with the best accuracy on the validation set. Why "
        "should you not report this accuracy, and what do you report instead?",
        rubric=(
            "The best of 200 is partly luck: the setting was chosen because it fits these samples.",
            "The validation set has taken part in a decision, so it is no longer new to the model.",
            "Report the accuracy on a test set that took part in no decision, and look at it once.",
        ),
    ),
    Question(
        "chapter9.q.building",
        "You have now built an engine, layers, an optimizer, a loader and a trainer. Name one "
        "thing that you understand now and would not have understood from reading alone, and say "
        "what showed it to you.",
        rubric=(
            "Names something concrete: a rule, an order of calls, a shape, a mode.",
            "Says which mistake, failed check or experiment showed it.",
            "Says why reading alone would have missed it.",
        ),
    ),
)
