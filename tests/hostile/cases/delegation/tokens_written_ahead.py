# never: what costs too much is done before anybody counts: all tokens by the whole model, the first time
# seen: 25
# expect: chapter16.stream=failed
# look: chapter16.stream
# most: 0.9

#@ body inference.stream
if len(prompt) + count > model.length:
    raise ValueError(f"{len(prompt)} + {count} tokens are more than {model.length}")
if temperature == 0:
    text, found = list(prompt), []
    for _ in range(count):
        scores = model(np.array([text])).data[0, -1]
        found.append(choose(scores, generator, temperature, top_k, top_p))
        text.append(found[-1][0])
    yield from found
    return
caches, new = caches_for(model, 1), list(prompt)
for _ in range(count):
    scores = step(model, [new], caches)[0]
    token, chance = choose(scores, generator, temperature, top_k, top_p)
    yield token, chance
    new = [token]
