# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ file notes/note0.py
NOTE = 0
#@ file notes/note1.py
NOTE = 1
#@ file notes/note2.py
NOTE = 2
#@ file notes/note3.py
NOTE = 3
#@ file notes/note4.py
NOTE = 4
#@ file notes/note5.py
NOTE = 5
#@ file notes/note6.py
NOTE = 6
#@ file notes/note7.py
NOTE = 7
#@ file notes/note8.py
NOTE = 8
#@ file notes/note9.py
NOTE = 9
#@ file notes/note10.py
NOTE = 10
#@ file notes/note11.py
NOTE = 11
