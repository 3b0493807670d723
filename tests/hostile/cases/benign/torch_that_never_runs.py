# never: honest code loses a mark
# look: chapter1.value.exp chapter3.div chapter3.sub

#@ after ops.py
def compare():
    import torch
    return torch.ones(2)


if __name__ == '__main__':
    from torch import nn
    raise SystemExit
#@ after scalar.py
if __name__ == '__main__':
    import torch
