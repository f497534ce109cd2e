import { z } from 'zod'

// Kept short: every host pays for the list of tools in every conversation.
export const timeInput = z.union([z.string(), z.number()], { error: 'A time is "3:20.5", or seconds' })
export const videoInput = z.string().min(1).max(4096).optional().describe('name, id or folder')
export const untilInput = timeInput.optional().describe('nothing later is known')
export const spanInputs = { video: videoInput, start: timeInput.optional(), end: timeInput.optional() }
export const momentInput = timeInput.optional().describe('a time or a row id')
