// What an interpreter has, by its own word.
export interface Python {
  isThere: boolean; // it runs, and is new enough
  hasGrader: boolean; // with what the grader needs to speak to editors
  isManaged: boolean; // the system's package manager keeps pip out of it (PEP 668)
}

export const NO_PYTHON: Python = { isThere: false, hasGrader: false, isManaged: false };

// Run it in a folder that holds no `grader`, such as /: the folder is on the path.
export const PROBE = `
import json, os, sys, sysconfig
try:
    import grader.editor, pygls
    has_grader = True
except ImportError:
    has_grader = False
mark = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
print(json.dumps({
    "isThere": sys.version_info >= (3, 10),
    "hasGrader": has_grader,
    "isManaged": sys.prefix == sys.base_prefix and os.path.exists(mark),
}))
`;
