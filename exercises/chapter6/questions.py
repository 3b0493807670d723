"""Questions of chapter 6."""

from grader.course import Question

QUESTIONS = (
    Question(
        "chapter6.q.batches",
        "A data set has 1,000 samples and `batch_size=64`. How many batches does an epoch have, "
        "and how many samples does the last one hold? Answer with two numbers: `batches, samples`.",
        answer="16, 40",
        why="15 batches of 64 are 960 samples. 40 are left over, and they are the 16th batch.",
    ),
    Question(
        "chapter6.q.endian",
        "The bytes `00 00 27 10` are a big-endian number. What does "
        '`int.from_bytes(bytes([0, 0, 0x27, 0x10]), "big")` print?',
        answer="10000",
        why="27 hexadecimal is 39, 10 hexadecimal is 16, and 39 · 256 + 16 = 10,000: the number of "
        "images in the test part of MNIST. Read as little-endian, it would be 270,991,360.",
    ),
    Question(
        "chapter6.q.uint8",
        "What does `print(np.uint8(200) + np.uint8(100))` print? (There is a warning, too.)",
        answer="44",
        choices=("300", "44", "255"),
        why="A uint8 has 256 values and starts over after 255: 300 - 256 = 44. So change the dtype "
        "of grey values *before* you calculate with them.",
    ),
    Question(
        "chapter6.q.last_batch",
        "A loader drops the last batch where it is not full, in every epoch. `shuffle` is False. "
        "What does the network never see? And with `shuffle=True`?",
        rubric=(
            "Without shuffling, the same samples, those at the end of the data set, are never "
            "seen.",
            "With shuffling, other samples are left out in every epoch, so each is seen sooner or "
            "later.",
            "In an evaluation the dropped samples are missing from the accuracy, whatever the "
            "order.",
        ),
        why="This is why PyTorch has `drop_last=False` as its default.",
    ),
    Question(
        "chapter6.q.shuffle",
        "MNIST sorted by label: first all zeros, then all ones, and so on. What happens if you "
        "train on it without shuffling, and why?",
        rubric=(
            "A batch then holds one label only, so its gradient pulls the network towards always "
            "giving this label.",
            "The gradient of a batch is meant to be an estimate of the gradient over all samples; "
            "from sorted data it is a poor one.",
            "At the end of an epoch the network favours the last label that it saw.",
        ),
    ),
    Question(
        "chapter6.q.flip",
        "Would you flip handwritten digits left to right to get more training images? And photos "
        "of cats and dogs? Say what decides it.",
        rubric=(
            "A transform has to leave the label true.",
            "A flipped 2 or 7 is no digit that anybody writes, and other digits change their look.",
            "A flipped photo of a cat is still a photo of a cat.",
        ),
    ),
)
