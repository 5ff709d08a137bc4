export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'ru', 'zh', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** Scripts in which capital letters and gaps between words say nothing. */
export function isCjk(language: Language): boolean {
  return language === 'zh' || language === 'ja'
}
