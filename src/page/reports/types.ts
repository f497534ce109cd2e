import type { ReplyTo } from '../api.ts'

export type Report = ReplyTo<'GET /reports/:report'>
export type Configuration = Report['configurations'][number]
export type Question = Report['questions'][number]
export type Cell = Question['cells'][number]
export type AskedQuestion = ReplyTo<'GET /reports/:report/questions/:question'>
