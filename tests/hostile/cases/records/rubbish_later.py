# never: a later hand-in that cannot be read takes away what was earned
# class: chapter2
# first: rubbish is handed in later

#@ handins
under("bo", files)
