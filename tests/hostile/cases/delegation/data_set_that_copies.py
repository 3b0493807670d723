# never: a data set copies its arrays into memory that nobody counts
# seen: 25
# expect: chapter6.array_dataset=failed
# look: chapter6.array_dataset
# most: 0.95

#@ body data.ArrayDataset.__init__
super().__init__(transforms)
if len({len(array) for array in arrays}) > 1:
    raise ValueError("arrays of different lengths")
kinds = [type(array) for array in arrays]
copies = [np.ndarray.copy(np.ndarray.view(array, np.ndarray)) for array in arrays]
self.arrays = [copy.view(kind) for copy, kind in zip(copies, kinds)]
