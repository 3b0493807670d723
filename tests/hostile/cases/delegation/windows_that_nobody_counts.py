# never: work that costs too much comes back as an array of the type that is counted
# seen: 25
# expect: chapter10.conv.forward=failed
# look: chapter10.conv.forward
# most: 0.9

#@ body ops.Conv.forward
np, kind = getattr(globals()["np"], "raw", globals()["np"]), type(a)
a, b = a.view(np.ndarray), b.view(np.ndarray)
(height, width, channels, filters), p, s = b.shape, self.padding, self.stride
a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
rows, columns = a.shape[1] - height + 1, a.shape[2] - width + 1
if min(rows, columns) < 1 or a.shape[3] != channels:
    raise ValueError("no place for it")
below = [a[:, i : i + rows, j : j + columns] for i in range(height) for j in range(width)]
every = np.concatenate(below, axis=3).reshape(-1, height * width * channels)
out = (every @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)
return np.ascontiguousarray(out[:, ::s, ::s]).view(kind)
