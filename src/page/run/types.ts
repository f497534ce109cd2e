import type { ReplyTo } from '../api.ts'

export type Run = ReplyTo<'GET /runs/:run'>
export type RunStep = Run['steps'][number]
export type RunTool = RunStep['tools'][number]
