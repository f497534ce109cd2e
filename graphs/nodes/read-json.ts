export { readJson } from '../../src/core/json.ts'
