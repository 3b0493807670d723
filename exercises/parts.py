"""Name what a learner builds in each chapter: the README's rows, for the book's first page."""

PARTS = {
    "chapter1": "`numerical_derivative`, `Value`, its `backward`, a neuron, an MLP, XOR",
    "chapter2": "an array that knows its gradient and where it came from",
    "chapter3": "every operation forward and backward, the walk through the graph, broadcasting",
    "chapter4": "`Module`, `Linear`, `LayerNorm1d`, `BatchNorm1d`, `Dropout`, losses",
    "chapter5": "SGD, Adam, AdamW, clipping, schedules",
    "chapter6": "IDX files, data sets, loaders, transforms",
    "chapter7": "Xavier, Kaiming, what keeps a deep net alive",
    "chapter8": "`state_dict`, files without pickle, a training run that you can resume to the "
    "last bit",
    "chapter9": "a `Trainer` that takes MNIST above 90 %",
    "chapter10": "convolution by im2col with both gradients, pooling, a CNN that beats the MLP",
    "chapter11": "recursion, `Function.apply`, closures; five engines proved equal; a lean one",
    "chapter12": "a gradient checker of your own, judged by mutants of your own ops",
    "chapter13": "`grad(create_graph)`, Hessian products, dual numbers and forward mode, "
    "checkpointing",
    "chapter14": "embeddings, attention under a causal mask, heads, blocks, a GPT that learns to "
    "sort and reads this book",
    "chapter15": "a function of Tensors traced into a program, passes that make it smaller, "
    "buffers, generated NumPy",
    "chapter16": "top-p, a cache of keys and values, unequal prompts in a batch, int8 weights, "
    "perplexity",
    "chapter17": "strides, views that copy nothing, loops over them, products that count their "
    "cache lines",
}
