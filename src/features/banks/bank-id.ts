import { z } from 'zod'
import { cleanText } from '../../lib/text.ts'

const MAX_LENGTH = 200

/** Ids that callers choose, of banks and documents: any clean text up to 200 characters without blanks at its ends. */
export const keySchema = z
  .string()
  .min(1)
  .max(MAX_LENGTH)
  .refine(
    (value) => value === cleanText(value) && value.trim() === value && !/[\n\r\t]/.test(value),
    {
      message:
        'holds characters that an id may not have: control characters, lone surrogates, blanks at its ends, or letters that are not in composed form (NFC)',
      params: { code: 'INVALID' },
    },
  )

export const nameSchema = z
  .string()
  .transform((value) => cleanText(value).trim())
  .pipe(z.string().min(1).max(MAX_LENGTH))
