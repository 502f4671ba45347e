;;; memplan.el --- memplan configurations  -*- lexical-binding: t; -*-

;;; Commentary:

;; A major mode with comments and strings, and memplan-lsp through eglot.

;;; Code:

(require 'eglot)

(defvar memplan-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "w" table)
    table)
  "Syntax of memplan configurations.")

(defvar memplan-font-lock-keywords
  '(("^\\s-*\\([a-z_0-9]+\\)\\(?:\\s-+\"[^\"]*\"\\)?\\s-*{" 1 font-lock-keyword-face)
    ("^\\s-*\\([A-Za-z_][A-Za-z_0-9-]*\\)\\s-*=" 1 font-lock-variable-name-face)
    ("\\_<\\(true\\|false\\|null\\|for\\|in\\|if\\)\\_>" 1 font-lock-constant-face))
  "What `memplan-mode' highlights besides comments and strings.")

;;;###autoload
(define-derived-mode memplan-mode prog-mode "memplan"
  "Major mode for memplan configurations."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+\\s-*")
  (setq-local tab-width 2)
  (setq-local indent-tabs-mode nil)
  (setq font-lock-defaults '(memplan-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.memplan\\(?:vars\\)?\\.hcl\\'" . memplan-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("memplan\\.vars\\.hcl\\'" . memplan-mode))
;;;###autoload
(add-to-list 'magic-mode-alist '("# memplan\\_>" . memplan-mode))

(add-to-list 'eglot-server-programs '(memplan-mode . ("memplan-lsp")))

(provide 'memplan)
;;; memplan.el ends here
