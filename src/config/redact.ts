import { isTree, type Tree } from './tree.ts'

// A copy without keys and passwords, for everything that is shown or written down.
export function redact<T>(settings: T): T {
  return clean(settings) as T
}

function clean(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => clean(item, key))
  if (isTree(value))
    return Object.fromEntries(Object.entries(value as Tree).map(([name, item]) => [name, clean(item, name)]))
  if (typeof value !== 'string' || value === '') return value
  if (/^(api)?_?key$|secret|password|authorization|(^|api|access|auth|bearer)_?token$/i.test(key)) return '(hidden)'
  return withoutUserInfo(value)
}

// "https://user:password@host/" carries a password too.
function withoutUserInfo(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/i, '$1')
}
