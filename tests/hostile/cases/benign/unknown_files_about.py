# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ file notes.txt
todo
#@ file data.json
{}
#@ file .hidden.py
broken (
#@ file __pycache__/old.py
broken (
