import { z } from 'zod';
import { maxLine } from './auditLine.ts';

/** One line of the log, read back. Members that are not known stay away. */
const entrySchema = z.object({
  time: z.iso.datetime(),
  kind: z.enum(['call', 'decision']),
  server: z.string(),
  scope: z.string(),
  tool: z.string().optional(),
  exposedName: z.string().optional(),
  approval: z.string().optional(),
  outcome: z.string().optional(),
  code: z.string().optional(),
  durationMs: z.number().optional(),
  subject: z.string().optional(),
  decision: z.string().optional(),
  about: z.array(z.string()).optional(),
  arguments: z.unknown().optional(),
});

export type AuditEntry = z.infer<typeof entrySchema>;

/** Reads lines back; one that was torn, or is something else, is left out. */
export function readAuditLines(text: string): AuditEntry[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '' || line.length > 2 * maxLine) return [];
    try {
      const parsed = entrySchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
