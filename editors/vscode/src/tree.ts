// The tree of chapters and exercises.
import * as vscode from "vscode";
import type { Chapter, Exercise } from "./protocol";
import { chapterOf } from "./protocol";
import {
  chapterLabel, chapterTitle, currentChapter, exerciseDescription, exerciseLabel, iconOf, isWrong, shortPoints,
} from "./words";

export type Node = { chapter: Chapter } | { exercise: Exercise };

export class CourseTree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private nodes = new Map<string, Node>();
  private chapters: Chapter[] = [];

  /** Show these chapters. A node stays itself, so that what is unfolded and selected stays so. */
  show(chapters: Chapter[]): void {
    const sameShape = this.chapters.length === chapters.length;
    const before = this.nodes;
    this.nodes = new Map();
    const dirty: Node[] = [];
    for (const chapter of chapters) {
      const rows: [string, Node][] = [
        [chapter.id, { chapter }],
        ...chapter.exercises.map((exercise): [string, Node] => [exercise.id, { exercise }]),
      ];
      for (const [id, fresh] of rows) {
        const node = before.get(id);
        if (node && JSON.stringify(node) !== JSON.stringify(fresh)) dirty.push(node);
        this.nodes.set(id, node ? Object.assign(node, fresh) : fresh);
      }
    }
    this.chapters = chapters;
    if (!sameShape) this.changed.fire(undefined);
    else dirty.forEach((node) => this.changed.fire(node));
  }

  getChildren(node?: Node): Node[] {
    if (node && "exercise" in node) return [];
    const ids = node ? node.chapter.exercises.map((row) => row.id) : this.chapters.map((c) => c.id);
    return ids.map((id) => this.nodes.get(id)!);
  }

  getParent(node: Node): Node | undefined {
    return "exercise" in node ? this.nodes.get(chapterOf(node.exercise.id)) : undefined;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return "exercise" in node ? exerciseItem(node.exercise) : this.chapterItem(node.chapter);
  }

  private chapterItem(chapter: Chapter): vscode.TreeItem {
    const isCurrent = chapter.id === currentChapter(this.chapters);
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(chapterTitle(chapter), isCurrent ? Expanded : Collapsed);
    item.id = chapter.id;
    item.description = chapter.maxPoints ? shortPoints(chapter) : "given";
    item.tooltip = chapterLabel(chapter);
    item.contextValue = "chapter";
    item.accessibilityInformation = { label: chapterLabel(chapter) };
    return item;
  }
}

function exerciseItem(row: Exercise): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  const [icon, color] = iconOf(row.status);
  item.id = row.id;
  item.description = exerciseDescription(row);
  item.tooltip = `${row.id}\n${exerciseLabel(row)}`;
  item.iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
  item.contextValue = `exercise.${isWrong(row.status) ? "wrong" : row.status}`;
  item.accessibilityInformation = { label: exerciseLabel(row) };
  item.command = { command: "babygrad.open", title: "Go to Exercise", arguments: [{ exercise: row }] };
  return item;
}
