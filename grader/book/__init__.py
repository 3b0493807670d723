"""The chapters as a site: read with nothing but a browser, from a file or from a host.

It is built where the course's own sources are (a wheel holds it built), with libraries that a
learner never needs. Only `place` is for everybody: it knows where the built site lies.
"""
