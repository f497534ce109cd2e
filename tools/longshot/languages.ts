import { z } from 'zod'

// The languages that a translation goes between, as LongShOTBench names them.
export const from_lang = z
  .string()
  .min(1)
  .max(60)
  .describe('the language it is in, as "fr" or "French"; "auto" to find it out')
export const to_lang = z.string().min(2).max(60).describe('the language wanted, as "en" or "English"')
