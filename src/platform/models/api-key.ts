/**
 * A key as it goes into the Authorization header; null for none. Throws without quoting it when it has characters that
 * no header can carry: the runtime's own error would show the whole key.
 */
export function checkedApiKey(apiKey: string | null): string | null {
  const key = apiKey?.trim() ?? ''
  if (key === '') return null
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error('The API key of the model endpoint has characters that a header cannot carry')
  }
  return key
}
