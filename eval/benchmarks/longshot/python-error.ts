import { isObject } from '../../../src/core/json.ts'

type PythonErrorKind = 'KeyError' | 'TypeError' | 'AttributeError'

// Where the released scorer stops with an exception, official scoring stops with the same one.
export class ReleasedScorerError extends Error {
  readonly kind: PythonErrorKind
  readonly place: string
  constructor(kind: PythonErrorKind, message: string, place = '') {
    super(message)
    this.name = 'ReleasedScorerError'
    this.kind = kind
    this.place = place
  }
}

export type Dict = Record<string, unknown>

// value[key]
export function item(value: unknown, key: string): unknown {
  if (isObject(value)) {
    if (Object.hasOwn(value, key)) return value[key]
    throw new ReleasedScorerError('KeyError', `'${key}'`)
  }
  if (typeof value === 'string') throw new ReleasedScorerError('TypeError', 'string indices must be integers')
  if (Array.isArray(value))
    throw new ReleasedScorerError('TypeError', 'list indices must be integers or slices, not str')
  throw new ReleasedScorerError('TypeError', `'${typeName(value)}' object is not subscriptable`)
}

// value.get(key), undefined if the key is absent
export function get(value: unknown, key: string): unknown {
  if (isObject(value)) return value[key]
  throw new ReleasedScorerError('AttributeError', `'${typeName(value)}' object has no attribute 'get'`)
}

// for ... in value
export function iterate(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return [...value]
  if (isObject(value)) return Object.keys(value)
  throw new ReleasedScorerError('TypeError', `'${typeName(value)}' object is not iterable`)
}

// A number for arithmetic or comparison, with what Python says where it is none.
export function number(value: unknown, complaint: (type: string) => string): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  throw new ReleasedScorerError('TypeError', complaint(typeName(value)))
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return Array.isArray(value) ? 'list' : 'dict'
}
