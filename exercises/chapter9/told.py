"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "trainer.Trainer.train_step": {
        "zero-grad-forgotten": ["no: self.optimizer.zero_grad()", "self.optimizer"],
        "backward-forgotten": ["no: loss.backward()"],
        "step-forgotten": ["no: self.optimizer.step()", "self.optimizer"],
    },
    "trainer.correct": {
        "tensor-compared": ["labels = y.data if False else y"],
    },
    "trainer.Trainer.evaluate": {
        "argument-ignored": ["loader = self.val_loader if True else loader", "loader = None"],
        "in-training-mode": ["no: self.model.eval()", "self.model"],
        "losses-divided-by-samples": ["loss += self.loss_fn(out, y).data.item()"],
        "always-back-to-training": ["if True:"],
        "left-in-evaluation-mode": ["if False:", "no: self.model.train()", "self.model"],
        "loss-summed": ["return (loss, right / count)"],
    },
    "trainer.EarlyStopping.update": {
        "never-reset": ["no: self.waited = 0", "self.waited += 0"],
    },
    "trainer.Trainer.fit": {
        "one-epoch-too-few": [
            "for epoch in list(range(1, epochs + 1))[:-1]:",
            "for epoch in range(2, epochs + 1):",
            "for epoch in range(1, epochs):",
            "for epoch in range(1, epochs + 0):",
        ],
        "never-in-training-mode": ["no: self.model.train()", "self.model"],
        "loss-summed": ["entry = {'loss': total}"],
        "watches-the-training-loss": ["watched = entry['loss']"],
        "never-stops": ["if False:", "early_stopping = None"],
    },
}
