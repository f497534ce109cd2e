import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { program } from '../../../tests/support/postgres.ts'
import type { Network } from './network.ts'

export interface Services {
  environment: Record<string, string> // of who uses them
  stop(): void
}

const password = 'a-password-of-two-hosts'
const nobody = 65534

// PostgreSQL with TLS and a password, and a bucket, on a host of their own.
export async function startServices(network: Network, folder: string): Promise<Services> {
  const address = network.address('data')
  const stopDatabase = startPostgres(network, folder, address)
  const store = network.spawn(
    'data',
    [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'store-server.ts'), address],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = (await once(createInterface({ input: store.stdout ?? process.stdin }), 'line')) as [string]
  const query = `sslmode=verify-ca&sslrootcert=${join(folder, 'server.crt')}`
  return {
    environment: {
      LONGTAKE_CLUSTER: `postgres://longtake:${password}@${address}/postgres?${query}`,
      LONGTAKE_STORE: 's3://bucket/two-hosts',
      ...(JSON.parse(line) as Record<string, string>),
    },
    stop() {
      store.kill('SIGKILL')
      stopDatabase()
    },
  }
}

function startPostgres(network: Network, folder: string, address: string): () => void {
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const [secret, key, certificate] = ['password', 'server.key', 'server.crt'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(secret, password)
  const subject = ['-subj', '/CN=longtake', '-addext', `subjectAltName=IP:${address}`]
  run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    certificate,
  ])
  chmodSync(key, 0o600)
  for (const path of [folder, secret, key]) chownSync(path, nobody, nobody)
  const asUser = ([name, ...words]: [string, ...string[]]) => {
    const user = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
    const [command, ...rest] = network.command('data', [...user, program(name), ...words])
    run(command, rest)
  }
  asUser([
    'initdb',
    '-D',
    data,
    '-U',
    'longtake',
    '-A',
    'scram-sha-256',
    `--pwfile=${secret}`,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ])
  appendFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 0.0.0.0/0 scram-sha-256\n')
  const settings = [
    "listen_addresses = '*'",
    `unix_socket_directories = '${folder}'`,
    'ssl = on',
    `ssl_cert_file = '${certificate}'`,
  ]
  appendFileSync(join(data, 'postgresql.auto.conf'), `${[...settings, `ssl_key_file = '${key}'`].join('\n')}\n`)
  asUser(['pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), 'start'])
  return () => asUser(['pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop'])
}

function run(name: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(name, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
  })
  if (status !== 0) throw new Error(`${name} ${words.slice(0, 6).join(' ')} ended with ${status ?? error}: ${stderr}`)
}
