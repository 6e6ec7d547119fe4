# Installs Keepsake for the current user on Windows:
#
#   irm @ADDRESS@/install.ps1 | iex
#
# $env:KEEPSAKE_BIN is the folder of the program, $env:KEEPSAKE_DOWNLOAD the address to download from.

# Everything is in a function, so that nothing runs if the download of this script ends early.
function Install-Keepsake {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'
  $version = '@VERSION@'
  $download = if ($env:KEEPSAKE_DOWNLOAD) { $env:KEEPSAKE_DOWNLOAD } else { '@ADDRESS@' }
  $file = "keepsake-$version-win32-x64.zip"
  $expected = '@SHA256@'
  $bin = if ($env:KEEPSAKE_BIN) { $env:KEEPSAKE_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\keepsake' }
  New-Item -ItemType Directory -Force -Path $bin | Out-Null
  $staging = Join-Path $bin ".keepsake-$([guid]::NewGuid())"
  New-Item -ItemType Directory -Path $staging | Out-Null
  try {
    $archive = Join-Path $staging $file
    Write-Host "downloading $download/$file"
    Invoke-WebRequest -UseBasicParsing -Uri "$download/$file" -OutFile $archive
    $found = (Get-FileHash -Algorithm SHA256 -Path $archive).Hash.ToLower()
    if ($found -ne $expected) { throw "$file has the SHA-256 $found, expected $expected; nothing was installed" }
    Expand-Archive -Path $archive -DestinationPath $staging
    $new = Join-Path $staging 'keepsake.exe'
    if ((& $new --version) -ne $version) { throw 'the program does not start on this system; nothing was installed' }
    $target = Join-Path $bin 'keepsake.exe'
    # Windows can rename a program that runs, but not replace it. Older ones are removed when nothing uses them.
    Get-ChildItem -Path $bin -Filter 'keepsake.old-*.exe' | Remove-Item -Force -ErrorAction SilentlyContinue
    if (Test-Path $target) { Rename-Item -Path $target -NewName "keepsake.old-$([guid]::NewGuid()).exe" }
    Move-Item -Path $new -Destination $target
  } finally {
    Remove-Item -Recurse -Force -Path $staging -ErrorAction SilentlyContinue
  }
  $path = [Environment]::GetEnvironmentVariable('Path', 'User')
  if (($path -split ';') -notcontains $bin) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$bin".TrimStart(';'), 'User')
  }
  if (($env:Path -split ';') -notcontains $bin) { $env:Path = "$env:Path;$bin" }
  Write-Host "installed Keepsake ${version}: $target"
  Write-Host 'next: keepsake setup'
}

Install-Keepsake
