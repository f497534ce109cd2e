import type { Path, Tree } from './tree.ts'

// Settings that came from one place. Later layers win over earlier ones, leaf by leaf.
export interface Layer {
  name: 'install' | 'profile' | 'stills' | 'file' | 'environment' | 'flag'
  values: Tree
  place(path: Path): string // as a person finds it: a file, a variable, a flag
}

// Where a value comes from.
export interface Origin {
  layer: Layer['name'] | 'default'
  place: string
}

export type Origins = ReadonlyMap<string, Origin> // by dotted path
