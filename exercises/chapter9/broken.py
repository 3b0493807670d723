"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import before, broken, edit, instead


@broken("trainer.Trainer.train_step")
class TRAINER_TRAIN_STEP:
    returns_the_loss_before = edit("float(loss.data.item())", "round(loss.data.item(), 4)")
    """returns the loss before the step,…"""

    def the_optimizer_steps_after(self, x, y):
        """and the optimizer steps after it."""
        self.optimizer.zero_grad()
        self.optimizer.step()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return float(loss.data.item())


@broken("trainer.correct")
class CORRECT:
    def out_stays_as_it_was(out, y):
        """`out` stays as it was."""
        out.data -= out.data.max(axis=1, keepdims=True)
        labels = y.data if isinstance(y, Tensor) else y
        return int(np.sum(out.data.argmax(axis=1) == labels))


@broken("trainer.Trainer.evaluate")
class TRAINER_EVALUATE:
    every_sample_counts_the_same = edit(("() * size", "()"), ("loss / count", "loss / len(loader)"))
    """every sample counts the same,"""

    even_in_a_last_batch = edit("size = x.shape[0]", "size = size if count else x.shape[0]")
    """even in a last batch that is smaller than the others."""

    the_model_is_in_evaluation = edit("self.model.eval()", "self.model.training = False")
    """The model is in evaluation mode meanwhile,"""

    afterwards_in_the_mode = edit("self.model.train()", "self.model.training = True")
    """and afterwards in the mode in which it was found."""

    @before("out = self.model(x)")
    def the_batches_stay_as_they(x):
        """The batches stay as they were."""
        x.data -= x.data.mean(axis=0)


@broken("trainer.Trainer.fit")
class TRAINER_FIT:
    the_model_is_put_into = edit("self.model.train()", "self.model.training = True")
    """The model is put into training mode at the start,"""

    whatever_mode_it_was = edit("train()", "train(self.model.training)")
    """whatever mode it was in."""


@broken("trainer.EarlyStopping.update")
class EARLYSTOPPING_UPDATE:
    @instead("return self.waited >= self.patience")
    def take_note_of_one_more(self):
        """Take note of one more loss;"""
        stops = self.waited >= self.patience
        self.waited = 0 if stops else self.waited
        return stops


@broken("trainer.Trainer")
class TRAINER:
    none_says_nothing = edit(
        ("if self.log is not None:", "if True:"),
        ("self.log(f", "(self.log or print)(f"),
        target="trainer.Trainer.fit",
    )
    """None says nothing."""
