// The words of the tree: a state is said by a word and an icon, never by a colour alone.
import type { Chapter, Exercise, Totals } from "./protocol";

// status → icon, the theme's colour for it, and whether its code ran wrong
const STATUSES: Record<string, [icon: string, color?: string]> = {
  passed: ["pass-filled", "testing.iconPassed"],
  given: ["circle-slash"],
  pending: ["circle-large-outline"],
  blocked: ["lock", "editorWarning.foreground"],
  broken: ["warning", "editorWarning.foreground"],
};
const WRONG: [string, string] = ["error", "testing.iconFailed"];

/** Return the icon of a status and the theme's color for it; unknown ones are wrong. */
export function iconOf(status: string): [icon: string, color?: string] {
  return STATUSES[status] ?? WRONG;
}

export function isWrong(status: string): boolean {
  return !(status in STATUSES);
}

/** Write points without needless zeros: 1.5, 2. */
export function number(points: number): string {
  return String(Math.round(points * 100) / 100);
}

export function pointsOf(totals: Totals): string {
  if (!totals.maxPoints) return "given";
  return `${shortPoints(totals)} ${totals.maxPoints === 1 ? "point" : "points"}`;
}

/** Write points where the column says what they are: 0 of 2. */
export function shortPoints(totals: Totals): string {
  return `${number(totals.points)} of ${number(totals.maxPoints)}`;
}

/** What stands beside an exercise in the tree: state and points first, since the end may be cut off. */
export function exerciseDescription(row: Exercise): string {
  return [row.word, ...(row.maxPoints ? [shortPoints(row)] : []), row.section].join(" · ");
}

/** What stands under an exercise's box in its chapter. */
export function stateOf(row: Exercise): string {
  const parts = [row.word, ...(row.maxPoints ? [pointsOf(row)] : [])];
  if (row.status === "blocked" && row.blockedBy.length) parts.push(`waits for ${row.blockedBy.join(" and ")}`);
  return parts.join(", ");
}

/** What a screen reader says of an exercise. */
export function exerciseLabel(row: Exercise): string {
  return [row.label, `section ${row.section}`, stateOf(row)].join(", ");
}

export function chapterName(chapter: Chapter): string {
  return `${chapter.id.replace(/(\d+)$/, " $1")}: ${chapter.title}`.replace(/^./, (c) => c.toUpperCase());
}

/** What the tree calls a chapter: 3 Automatic differentiation. */
export function chapterTitle(chapter: Chapter): string {
  const number = /\d+$/.exec(chapter.id);
  return number ? `${number[0]} ${chapter.title}` : chapterName(chapter);
}

/** What a screen reader says of a chapter. */
export function chapterLabel(chapter: Chapter): string {
  const passed = chapter.exercises.filter((row) => row.status === "passed" && row.maxPoints).length;
  const asked = chapter.exercises.filter((row) => row.maxPoints).length;
  return asked
    ? `${chapterName(chapter)}, ${passed} of ${asked} exercises passed, ${pointsOf(chapter)}`
    : `${chapterName(chapter)}, given`;
}

/** Return the chapter to unfold: the first with an exercise that is worth points and not passed. */
export function currentChapter(chapters: Chapter[]): string | undefined {
  return chapters.find((c) => c.exercises.some((row) => row.maxPoints && row.status !== "passed"))?.id;
}
