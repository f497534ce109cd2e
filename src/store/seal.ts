import { contentHash } from '../core/json.ts'

// A small record with the hash of its own content, so that a changed byte is noticed whatever it changes, the number of the
// format included. The rule stays the same in every format: "check" is the hash of all the rest.
export function sealed<Content extends object>(record: Content): Content & { check: string } {
  return { ...record, check: checkOf(record) }
}

// Whether a record is not what was written. Records of earlier releases carry no hash and pass.
export function isBroken(value: unknown): boolean {
  if (!value || typeof value !== 'object' || !('check' in value)) return false
  const { check, ...rest } = value
  return check !== checkOf(rest)
}

function checkOf(record: object): string {
  return contentHash(JSON.parse(JSON.stringify(record)))
}
