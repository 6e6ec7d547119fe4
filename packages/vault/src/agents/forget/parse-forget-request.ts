/** An input that asks to forget something. */
export type ForgetRequest = {
  /** The words after "forget that" or the like. */
  subject: string;
  /** Whether the input contains nothing else. */
  isAlone: boolean;
};

const politeness = String.raw`(?:(?:please|kindly|keepsake|hey|hi|can you|could you|s['’]il (?:te|vous) pla[iî]t|stp|svp|peux-tu|pouvez-vous)[\s,:!]+)*`;
const english = String.raw`forget\s+(?:that|about|what|whatever|everything|anything|all)\b`;
const french = String.raw`(?:oublie|oubliez|oublier)\s+(?:qu(?:e\b|['’])|ce\s+qu(?:e\b|['’])|tout(?:\s+(?:ce\s+qu(?:e\b|['’])|sur\b|de\b|à\s+propos\b))?)`;
const request = new RegExp(String.raw`^\s*${politeness}(?:${english}|${french})\s*(?<subject>\S[^]*)$`, 'iu');

/**
 * Recognizes "forget that …" and « oublie que … » at the beginning of an input. "Forget the dentist" is not recognized: it
 * usually cancels a plan, which is news to be filed.
 */
export function parseForgetRequest(text: string): ForgetRequest | null {
  const subject = request.exec(text)?.groups?.['subject']?.trim();
  if (subject === undefined) return null;
  return {
    subject: subject.replace(/[\s.!…]+$/u, ''),
    isAlone: !/[.!?…]\s+\S|\n/u.test(subject),
  };
}
