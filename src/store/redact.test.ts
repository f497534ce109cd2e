import { expect, test } from 'vitest'
import { redactor } from './redact.ts'

const redact = redactor(['canary-value-1234', 'canary-value-1234-longer', 'pass word/9!', undefined, 'none'])

test('a given secret is hidden wherever it stands: in texts, names, lists and addresses', () => {
  const written = redact({
    text: 'called with canary-value-1234.',
    'canary-value-1234': [['canary-value-1234-longer']],
    url: 'http://host/?q=pass%20word%2F9!&x=1',
  })
  const text = JSON.stringify(written)
  expect(text).not.toMatch(/canary|longer|pass/)
  expect(text).toContain('[redacted]')
})

test.each([
  'sk-abcdefghijklmnopqrstuvwx',
  'sk-proj-Abc_123-def_456-ghi_789',
  'hf_abcdefghijklmnopqrstuvwxyz',
  'ghp_abcdefghijklmnopqrstuvwxyz012345',
  'AKIAABCDEFGHIJKLMNOP',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
])('what looks like a key is hidden though nobody named it: %s', key => {
  expect(redact(`before ${key} after`)).toBe('before [redacted] after')
})

test('keys in headers, addresses and settings are hidden, and what is around them stays', () => {
  expect(redact('Authorization: Bearer abc.def-123456789')).toBe('Authorization: Bearer [redacted]')
  expect(redact('https://ada:secret@host/v1')).toBe('https://[redacted]@host/v1')
  expect(redact('postgres://ada:p/a@s@db:5432/x and more')).toBe('postgres://[redacted]@db:5432/x and more')
  expect(redact('postgres://db/x?password=hunter2&a=1')).toBe('postgres://db/x?password=[redacted]&a=1')
  expect(redact('/v1?api_key=12345&model=a')).toBe('/v1?api_key=[redacted]&model=a')
  expect(redact({ apiKey: 'k', baseUrl: 'http://host' })).toEqual({ apiKey: '[redacted]', baseUrl: 'http://host' })
})

test('what is no secret stays as it is', () => {
  const plain = {
    text: 'The word none, the basics of a token economy, and a task-based approach at 12:04.',
    tokens: 1200,
    maxTokens: 5,
    empty: { apiKey: '' },
    list: [1, null, true, 'sk-short'],
    time: 'http://127.0.0.1:11434/api',
  }
  expect(redact(plain)).toEqual(plain)
})

test('every pattern is reached: the first look at a text passes over none of them', () => {
  const keys = [
    ...['sk-abcdefghijklmnopqrstuvwx', 'pk-abcdefghijklmnopqrstuvwx', 'rk-abcdefghijklmnopqrstuvwx'],
    ...[
      'hf_abcdefghijklmnopqrstuvwxyz',
      'gho_abcdefghijklmnopqrstuvwxyz012345',
      'github_pat_abcdefghijklmnopqrstuvwxyz',
    ],
    ...[
      'AKIAABCDEFGHIJKLMNOP',
      `AIza${'a'.repeat(35)}`,
      'xoxb-1234567890-abc',
      `eyJ${'a'.repeat(12)}.${'b'.repeat(12)}.`,
    ],
    ...['BEARER abcdefghijklmnop', 'basic\tabcdefghijklmnop', 'POSTGRES://ada:b@c', 'ftp://ada:b@c'],
    ...['x?sig=abc', 'x&KEY=abc'],
  ]
  for (const key of keys) expect(redact(`say ${key} aloud`)).toContain('[redacted]')
})
