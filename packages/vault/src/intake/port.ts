/** What a document turned out to be, by its bytes; its name only tells apart kinds of text. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'html'
  | 'email'
  | 'mailbox'
  | 'csv'
  | 'text'
  | 'markdown'
  | 'image'
  | 'audio';

/** A document as somebody has it. */
export type Document = { name: string; bytes: Uint8Array };

/** What may be told of a document besides its words. Dates are `2025-07-14` or `2025-07-14T18:30:00`. */
export type Metadata = {
  type: DocumentKind;
  title?: string;
  author?: string;
  date?: string;
  pages?: number;
};

/** `name` is how the markdown refers to it. */
export type DocumentImage = { name: string; bytes: Uint8Array };

export type RefusalCode =
  /** Nothing here can read this kind. */
  | 'unsupported'
  /** It is not what it says it is, or is broken. */
  | 'damaged'
  /** It opens with a password only. */
  | 'encrypted'
  /** Over a limit: bytes, pages, unpacked size, nesting. */
  | 'too-large'
  | 'too-slow'
  | 'too-much-memory'
  /** Nothing is converted here without a sandbox, and there is none. */
  | 'no-sandbox'
  /** There is nothing in it to file. */
  | 'empty'
  /** Audio, and no model that could transcribe it. */
  | 'no-transcription';

/** A sentence that says what is wrong and what to do, for the person who gave the document. */
export type Refusal = { kind: 'refused'; code: RefusalCode; reason: string };

/** What a converter makes of one document. */
export type Conversion = {
  kind: 'converted';
  /** Without frontmatter. */
  markdown: string;
  images: DocumentImage[];
  metadata: Metadata;
  /** What did not survive, each a sentence for the person. */
  warnings: string[];
  /** Documents inside of it, to be taken in on their own. */
  attachments: Document[];
};

export type Limits = {
  /** For a document with everything inside of it. */
  milliseconds: number;
  /** Of the process that converts. */
  memoryBytes: number;
  documentBytes: number;
  unpackedBytes: number;
  pages: number;
  /** How deep documents may lie in documents. */
  nesting: number;
  attachments: number;
  images: number;
  imageBytes: number;
  /** Of the markdown of one document. */
  characters: number;
  tableRows: number;
};

/** Images are named `<stem>-1.png` and so on: `stem` is what the document's own files are called in the vault. */
export type ConvertOptions = { stem: string; limits: Limits };

/** Runs in the process that converts, and may throw whatever it likes. */
export type Converter = (document: Document, options: ConvertOptions) => Promise<Conversion | Refusal>;

/** A document with what became of it and of the documents inside of it. */
export type Taken = { document: Document; stem: string; outcome: Conversion | Refusal; inside: Taken[] };

export type Recording = Document & { mediaType: string };

/** Reaches a model, so it runs in our own process, and may throw. */
export type Transcribe = (
  recording: Recording,
  signal: AbortSignal,
) => Promise<{ text: string; warnings: string[] }>;
