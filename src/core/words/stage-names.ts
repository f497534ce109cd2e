// Stages whose results were first stored under another name. It is part of their keys and folders, and stands in runs, studies and the
// rows of a cluster, so it stays there. Both functions take either name.
const storedNames = new Map([
  ['full-text', 'words'],
  ['vector-index', 'nearest'],
  ['text-vectors', 'meaning'],
])
const names = new Map([...storedNames].map(([name, stored]) => [stored, name]))

export function storedStage(name: string): string {
  return storedNames.get(name) ?? name
}

export function stageNamed(stored: string): string {
  return names.get(stored) ?? stored
}
