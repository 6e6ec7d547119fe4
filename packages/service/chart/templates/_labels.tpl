{{- define "keepsake.selector" -}}
app.kubernetes.io/name: keepsake
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "keepsake.labels" -}}
{{ include "keepsake.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
