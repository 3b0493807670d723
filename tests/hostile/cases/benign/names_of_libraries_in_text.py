# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
TEXT = 'like torch.autograd or jax.grad'  # import torch would be cheating
'''from torch import nn'''
