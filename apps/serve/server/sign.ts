import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Signs paths that a tag of a page loads, which can send no header. A signature holds until the server ends.
export interface Signer {
  sign(path: string): string
  isSigned(path: string, signature: string): boolean
}

export function signer(secret: Uint8Array = randomBytes(32)): Signer {
  const sign = (path: string) => createHmac('sha256', secret).update(path).digest('base64url')
  return { sign, isSigned: (path, signature) => equalInConstantTime(sign(path), signature) }
}

// Takes the same time whatever differs, the length included.
export function equalInConstantTime(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}
