/** The kind of a document, detected from its bytes; the name only distinguishes kinds of text. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'html'
  | 'email'
  | 'mailbox'
  | 'csv'
  | 'calendar'
  | 'text'
  | 'markdown'
  | 'image'
  | 'audio';

/** A document as it was submitted. */
export type Document = { name: string; bytes: Uint8Array };

/** Properties of a document besides its text. Dates are `2025-07-14` or `2025-07-14T18:30:00`, with an offset (`+02:00`) if it is known. */
export type Metadata = {
  type: DocumentKind;
  title?: string;
  author?: string;
  date?: string;
  pages?: number;
};

/** The markdown refers to the image by `name`. */
export type DocumentImage = { name: string; bytes: Uint8Array };

export type RejectionCode =
  /** No converter supports this kind. */
  | 'unsupported'
  /** The content is broken or does not match the format. */
  | 'damaged'
  /** The document is protected by a password. */
  | 'encrypted'
  /** Over a limit: bytes, pages, unpacked size, nesting. */
  | 'too-large'
  | 'too-slow'
  | 'too-much-memory'
  /** A sandbox is required, and none is available. */
  | 'no-sandbox'
  /** The document contains nothing to file. */
  | 'empty'
  /** The document is a recording, and no transcription model is configured. */
  | 'no-transcription';

/** `reason` tells the user what is wrong and what to do. */
export type Rejection = { kind: 'refused'; code: RejectionCode; reason: string };

/** The result of converting one document. */
export type Conversion = {
  kind: 'converted';
  /** Without frontmatter. */
  markdown: string;
  images: DocumentImage[];
  metadata: Metadata;
  /** Sentences that tell the user what was lost in the conversion. */
  warnings: string[];
  /** Documents inside this one, which are converted separately. */
  attachments: Document[];
};

export type Limits = {
  /** Time for a document with all of its attachments. */
  milliseconds: number;
  /** Memory of the converter process. */
  memoryBytes: number;
  documentBytes: number;
  unpackedBytes: number;
  pages: number;
  /** How deeply documents may be nested in documents. */
  nesting: number;
  attachments: number;
  images: number;
  imageBytes: number;
  /** Length of the markdown of one document. */
  characters: number;
  tableRows: number;
};

/** `stem` is the name of the document's files in the vault without extension; images are named `<stem>-1.png` and so on. */
export type ConvertOptions = {
  stem: string;
  limits: Limits;
  /** Converts for search: without images, and with a heading for each page of a PDF. */
  isTextOnly?: boolean;
  /** The time zone of the vault (IANA), because the converter process may not know it; the default is that of the process. */
  timeZone?: string;
  /** Milliseconds since 1970. */
  now?: number;
};

/** Runs in the converter process, and may throw anything. */
export type Converter = (document: Document, options: ConvertOptions) => Promise<Conversion | Rejection>;

/** A document with its conversion or rejection, and those of its attachments. */
export type IntakeResult = {
  document: Document;
  stem: string;
  outcome: Conversion | Rejection;
  inside: IntakeResult[];
};

export type Recording = Document & { mediaType: string };

/** Calls a model, so it runs in the main process. May throw. */
export type Transcribe = (
  recording: Recording,
  signal: AbortSignal,
) => Promise<{ text: string; warnings: string[] }>;
