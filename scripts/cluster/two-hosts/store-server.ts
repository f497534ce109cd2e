import { s3Server } from '../../../tests/servers/s3-server.ts'

// The bucket of the two hosts, as a process of its own; says what a client needs to know, and lives until it is killed.
const { keys } = await s3Server({ host: process.argv[2] ?? '127.0.0.1' })
console.log(JSON.stringify(keys))
