import { UsageError } from './errors.ts'

// The names that a model has on the hub, checked before they become paths or addresses.

// "organisation/name". The hub allows no "--" and no ".." in either, and folders of the cache rest on that.
export function checkRepository(name: string): string {
  const namePart = /^[A-Za-z0-9_](?:[\w.-]{0,94}[\w])?$/
  const parts = name.split('/')
  if (parts.length <= 2 && parts.every(one => namePart.test(one) && !/--|\.\./.test(one))) return name
  throw new UsageError(`${JSON.stringify(name)} is not the name of a model on the hub.`, {
    hint: 'Write it as "organisation/name", of letters, digits, ".", "_" and "-".',
  })
}

// A branch, a tag or a commit, by the rules of git.
export function checkRevision(revision: string): string {
  const parts = revision.split('/')
  const isRef =
    revision.length <= 200 &&
    parts.every(part => /^[\w][\w.+@=-]*$/.test(part) && !/\.\.|\.$|\.lock$/.test(part) && part !== '@')
  if (isRef) return revision
  throw new UsageError(`${JSON.stringify(revision)} is not a revision of a model.`, {
    hint: 'Name a branch, a tag or a commit, as "main", "v1.0", "refs/pr/3" or 40 hexadecimal digits.',
  })
}

export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

// A file of a model or data set, below its folder.
export function checkHubFile(path: string): string {
  const isBelow = path.length <= 500 && path.split('/').every(part => /^(?!\.{1,2}$)[^\\:\p{Cc}]{1,200}$/u.test(part))
  if (isBelow) return path
  throw new UsageError(`${JSON.stringify(path)} is not the name of a file on the hub.`, {
    hint: 'It must lie below the folder of its model or data set.',
  })
}

export function checkCommit(commit: string): string {
  if (isCommit(commit)) return commit
  throw new UsageError(`${JSON.stringify(commit.slice(0, 60))} is not a commit of a model.`, {
    hint: 'Forget the model with "longtake models rm" and fetch it again.',
  })
}
