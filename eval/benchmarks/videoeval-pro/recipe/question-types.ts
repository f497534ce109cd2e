import { readRecords } from '../../../data/records.ts'
import type { AdoptedSample } from '../../../recipes/recipe.ts'
import ours from './types.json' with { type: 'json' }

interface QuestionType {
  qa_type: string
  qa_subtype: string
  doubt?: string // the file that it was learned from has several for the same
}

type TypesOf = (benchmark: string, sample: Pick<AdoptedSample, 'kind' | 'source'>) => QuestionType

// By a map of ours from what other benchmarks call their types; "Other" where it is not known.
export const ourTypes: TypesOf = (_, { kind, source }) => {
  const names = [kind, ...Object.values(source)].flatMap(value => (typeof value === 'string' ? [plain(value)] : []))
  const knownTypes: Record<string, string> = ours.known
  const qa_subtype = names.flatMap(name => knownTypes[name] ?? []).at(0) ?? 'Other'
  const all: [string, string[]][] = Object.entries(ours.types)
  return { qa_type: all.find(([, subtypes]) => subtypes.includes(qa_subtype))?.[0] ?? '', qa_subtype }
}

type Counts = Map<string, number> // by "type / subtype"

// Learned from the official file: of what its `meta` says of a source's questions, the field that tells their types best. That file's
// layout of `meta` is not stated; what it does not tell is typed by ours.
export async function learnedTypes(file: string): Promise<TypesOf> {
  const learned = new Map<string, Map<string, Map<string, Counts>>>() // source, field, value
  for (const record of await readRecords(file)) {
    const { source, meta, qa_type, qa_subtype } = record as Record<string, unknown>
    for (const [field, value] of readFields(meta)) {
      const values = nested(nested(learned, plain(source)), field)
      const counts = nested(values, plain(value))
      const type = `${qa_type} / ${qa_subtype}`
      counts.set(type, (counts.get(type) ?? 0) + 1)
    }
  }
  return (benchmark, sample) => {
    const fields = [...(learned.get(plain(benchmark)) ?? [])].sort(([, a], [, b]) => worth(b) - worth(a))
    for (const [field, values] of fields) {
      const counts = values.get(plain(sample.source[field] ?? sample.kind)) ?? values.get(plain(sample.kind))
      if (counts) return typeIn(counts, benchmark, sample.kind)
    }
    return ourTypes(benchmark, sample)
  }
}

function typeIn(counts: Counts, benchmark: string, kind: string): QuestionType {
  const ranked = [...counts].sort(([, a], [, b]) => b - a)
  const [qa_type = '', qa_subtype = ''] = ranked[0]?.[0].split(' / ') ?? []
  const ranking = ranked.map(([type, count]) => `${type} (${count})`).join(', ')
  return { qa_type, qa_subtype, ...(ranked.length > 1 && { doubt: `"${kind}" of ${benchmark} is ${ranking}` }) }
}

// How many questions the most frequent type of each value is right for, by value: a field that names every question anew tells nothing.
function worth(values: ReadonlyMap<string, Counts>): number {
  const right = [...values.values()].reduce((sum, counts) => sum + Math.max(...counts.values()), 0)
  return right / values.size
}

function readFields(meta: unknown): [string, unknown][] {
  if (typeof meta !== 'string') return Object.entries((meta as Record<string, unknown> | null) ?? {})
  try {
    const read: unknown = JSON.parse(meta)
    return typeof read === 'object' && read !== null ? Object.entries(read) : [['', read]]
  } catch {
    return meta.trim() === '' ? [] : [['', meta]]
  }
}

function nested<Inner>(map: Map<string, Map<string, Inner>>, key: string): Map<string, Inner> {
  const inner = map.get(key) ?? new Map<string, Inner>()
  map.set(key, inner)
  return inner
}

function plain(value: unknown): string {
  return String(Array.isArray(value) ? value[0] : value)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
