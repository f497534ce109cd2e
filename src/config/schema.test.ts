import { expect, test } from 'vitest'
import { configJsonSchema } from './json-schema.ts'
import { profiles, roleNames } from './profiles.ts'
import { Config } from './schema.ts'
import { optionTable } from './settings-markdown.ts'
import { leavesOf } from './tree.ts'

test('every setting has a row in the table, with its default', () => {
  const table = optionTable()
  for (const { path, value } of leavesOf(Config.parse({}))) {
    if (table.includes(`| \`${path.join('.')}.`)) continue // nothing below it is set at first, and each part has a row
    const rowOf = (names: readonly string[]) =>
      table.split('\n').find(line => line.startsWith(`| \`${names.join('.')}\` |`))
    const row = rowOf(path) ?? rowOf(path.slice(0, -1)) // of a record, whose names anybody may add to
    expect(row, path.join('.')).toBeDefined()
    expect(row).toContain(typeof value === 'string' ? value : JSON.stringify(value))
  }
  expect(table).toContain('| `budget.money` |')
  expect(table.split('\n').every(line => line.split(/(?<!\\)\|/).length === 6)).toBe(true)
})

test('every setting says what it is for', () => {
  const bare = optionTable()
    .split('\n')
    .filter(line => / \| +\|$/.test(line))
  expect(bare).toEqual([])
})

test('every profile fills every role, and only shots can never be off', () => {
  for (const profile of Object.values(profiles)) {
    expect(Object.keys(profile).sort()).toEqual([...roleNames].sort())
    expect(profile.shots.backend).not.toBe('off')
  }
})

test('the embedded profile is what the defaults say', () => {
  expect(Config.parse({}).models).toEqual(profiles.embedded)
})

test('the JSON schema offers the backends of a role and closes the sections', () => {
  const backend = {
    name: 'whisper',
    summary: 'speech to text',
    settings: { properties: { model: { type: 'string' } } },
  }
  const schema = configJsonSchema({ transcribe: [backend], shots: [{ ...backend, name: 'cuts' }] }) as {
    properties: {
      models: { properties: Record<string, { anyOf: { enum?: string[]; properties?: object }[] }> }
      $schema: object
    }
    additionalProperties: boolean
  }
  const { transcribe, shots } = schema.properties.models.properties
  expect(transcribe!.anyOf[0]!.enum).toEqual(['whisper', 'off'])
  expect(transcribe!.anyOf[1]!.properties).toEqual({ backend: { const: 'whisper' }, model: { type: 'string' } })
  expect(shots!.anyOf[0]!.enum).toEqual(['cuts'])
  expect(schema.properties.$schema).toEqual({ type: 'string' })
  expect(schema.additionalProperties).toBe(false)
})
