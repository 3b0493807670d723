// What the server says beyond LSP, as docs/editors.md describes it.

export interface Exercise {
  id: string;
  label: string;
  section: string;
  status: string;
  word: string;
  points: number;
  maxPoints: number;
  blockedBy: string[];
}

export interface Totals {
  points: number;
  maxPoints: number;
}

export interface Chapter extends Totals {
  id: string;
  title: string;
  exercises: Exercise[];
}

export interface Tree extends Totals {
  workspace: string;
  terminal: Record<string, string[]>;
  chapters: Chapter[];
}

export interface Progress extends Totals {
  workspace: string;
  exercises: Exercise[];
}

export interface Place {
  uri: string;
  line: number;
}

export interface Found extends Exercise {
  workspace: string;
  code: Place;
  chapter: (Place & { anchor: string; heading: string; title: string }) | null;
}

/** Put the rows of a notification into the tree. */
export function update(tree: Tree, news: Progress): Tree {
  const changed = new Map(news.exercises.map((row) => [row.id, row]));
  const chapters = tree.chapters.map((chapter) => {
    const exercises = chapter.exercises.map((row) => changed.get(row.id) ?? row);
    const sum = (name: keyof Totals) => exercises.reduce((total, row) => total + row[name], 0);
    return { ...chapter, exercises, points: sum("points"), maxPoints: sum("maxPoints") };
  });
  return { ...tree, points: news.points, maxPoints: news.maxPoints, chapters };
}

/** Return an exercise's anchor in the prose: chapter3.mul_scalar.forward → chapter3-mul-scalar-forward. */
export function anchorOf(id: string): string {
  return id.replace(/[._]/g, "-");
}

export function chapterOf(id: string): string {
  return id.split(".")[0];
}
