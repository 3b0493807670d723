# never: who keeps to the cost in other words than the course's loses a mark
# twin: 25
# look: chapter16.smalllinear chapter16.stream

#@ body inference.SmallLinear.forward
out = np.empty((x.shape[0], len(self.scales)), x.dtype)
for place, (row, scale) in enumerate(zip(self.codes, self.scales)):
    out[:, place] = np.dot(x.data, row.astype(x.dtype)) * float(scale)
if self.bias is not None:
    out += self.bias
return Tensor(out, dtype=x.dtype)
#@ body inference.stream
left = model.length - len(prompt)
if count > left:
    raise ValueError(f"there is room for {left} more tokens, not for {count}")
caches = caches_for(model, 1)
scores = None
for written in range(count):
    scores = step(model, np.array([list(prompt) if scores is None else [token]]), caches)
    token, chance = choose(scores[0], generator, temperature, top_k, top_p)
    yield token, chance
