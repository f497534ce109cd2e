import { z } from 'zod'

const Model = z.looseObject({
  backend: z.string().min(1).describe('a chat backend by name, with its settings beside it'),
})

// Who fills the roles of "bench make". Each call may cost money, so that a settings file that was only found may set none of them.
export const MakerRoles = z.strictObject({
  author: Model.optional().describe(
    'writes the questions: a chat backend and its settings; left out, the rules of the recipe',
  ),
  look: Model.optional().describe('sees frames; left out, models.vision'),
  listen: Model.optional().describe('hears the sound of each stretch (longshot)'),
  blind: z.array(Model).max(3).default([]).describe('one to three chat backends that must fail without the video'),
  glance: Model.optional().describe('a small model that sees a frame or a few, and must fail'),
  check: Model.optional().describe('says whether rows hold what an item says'),
  judge: Model.optional().describe('judges the open answers of the filters'),
})
