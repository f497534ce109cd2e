import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'

test('every operation says what comes of an address or headers that are too large', () => {
  const { paths } = openApi('1', 'http://127.0.0.1/api')
  const operations = Object.values(paths as Record<string, Record<string, { responses: object }>>).flatMap(one =>
    Object.values(one),
  )
  expect(operations.length).toBeGreaterThan(30)
  for (const { responses } of operations) expect(responses).toHaveProperty('431')
})

test('the bounds of the numbers of an address are in the contract', () => {
  const { paths } = openApi('1', 'http://127.0.0.1/api') as unknown as {
    paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>
  }
  const schemaOf = (path: string, name: string) =>
    paths[path]?.get.parameters.find(parameter => parameter.name === name)?.schema
  expect(schemaOf('/jobs/{job}', 'wait')).toMatchObject({ type: 'number', minimum: 0, maximum: 60 })
  expect(schemaOf('/search', 'k')).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 })
  expect(schemaOf('/videos/{video}/rows', 'from')).toMatchObject({ type: 'number', minimum: 0 })
})
