# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ file scratch.py
import torch
print(torch.ones(2))
