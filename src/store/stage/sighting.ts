import { z } from 'zod'

// A file that had this content: see src/media/file/file-look.ts.
export const Sighting = z.object({
  path: z.string(),
  bytes: z.number(),
  modified: z.string().regex(/^-?\d+$/),
  changed: z.string().regex(/^-?\d+$/),
  inode: z.string(),
  seen: z.string().regex(/^-?\d+$/),
})
export type Sighting = z.infer<typeof Sighting>
