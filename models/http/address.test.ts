import { expect, test } from 'vitest'
import { UsageError } from '../../src/core/errors.ts'
import { below, readAddress } from './address.ts'
import { hostUrl } from './ollama.ts'

test('what is shown of a URL holds no user, password or query', () => {
  const { base, shown, authorization } = readAddress('chat', 'https://ann:s3cret@host.example:8443/v1/?token=t0p')
  expect(shown).toBe('https://host.example:8443/v1')
  expect(authorization).toBe(`Basic ${Buffer.from('ann:s3cret').toString('base64')}`)
  expect(below(base, 'chat/completions').href).toBe('https://host.example:8443/v1/chat/completions?token=t0p')
})

test('a wrong URL is named without its password', () => {
  const read = () => readAddress('chat/openai', 'ftp://ann:s3cret@host')
  expect(read).toThrow(UsageError)
  expect(read).toThrow('chat/openai: "ftp://host" is not the URL of a server.')
})

test('OLLAMA_HOST is read as Ollama reads it, and where a server listens becomes where a client goes', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['[::]:11434', 'http://[::1]:11434'],
    ['gpu.local', 'http://gpu.local:11434'],
    ['https://ollama.example/sub', 'https://ollama.example/sub'],
    ['"10.0.0.2:1234"', 'http://10.0.0.2:1234'],
  ]
  for (const [value, url] of cases) expect(hostUrl(value), String(value)).toBe(url)
})
