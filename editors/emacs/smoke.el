;;; smoke.el --- tries memplan-lsp in a batch Emacs; run by smoke.sh  -*- lexical-binding: t; -*-

;;; Code:

(add-to-list 'load-path (file-name-directory load-file-name))
(package-initialize)
(require 'memplan)
(require 'flymake)

(defconst smoke-patience 60
  "How many seconds a wait may take: how soon the server answers is not tested.")

(defun smoke-wait (what ready)
  "Wait until READY returns true, else fail and say WHAT."
  (let ((end (+ (float-time) smoke-patience)))
    (while (and (not (funcall ready)) (< (float-time) end))
      (accept-process-output nil 0.05)))
  (if (funcall ready)
      (message "ok: %s" what)
    (message "FAILED: %s" what)
    (kill-emacs 1)))

(defun smoke-hover (text)
  "What hovering over TEXT shows."
  (goto-char (point-min))
  (search-forward text)
  (backward-char 2)
  (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)
                                :timeout smoke-patience)))
    (plist-get (plist-get hover :contents) :value)))

(find-file "config.memplan.hcl")
(unless (eq major-mode 'memplan-mode)
  (message "FAILED: the mode is %s" major-mode)
  (kill-emacs 1))
(setq eglot-sync-connect smoke-patience
      eglot-connect-timeout smoke-patience)
(apply #'eglot (eglot--guess-contact))
(smoke-wait "the server is running" #'eglot-current-server)
(smoke-wait "hovering over a pool shows its peak"
            (lambda () (let ((text (smoke-hover "\"dtcm\""))) (and text (string-match-p "peak" text)))))
(flymake-mode 1)

(defun smoke-replace (from to)
  "Replace FROM by TO and tell the server, which idle timers do outside of batches."
  (goto-char (point-min))
  (search-forward from)
  (replace-match to)
  (eglot--signal-textDocument/didChange)
  (flymake-start))

(smoke-replace "device.mcu" "device.mcx")
(smoke-wait "one mistake gives one diagnostic" (lambda () (= 1 (length (flymake-diagnostics)))))
(smoke-replace "device.mcx" "device.mcu")
(smoke-wait "it goes away when the mistake does" (lambda () (null (flymake-diagnostics))))
(set-buffer-modified-p nil)
(kill-emacs 0)
;;; smoke.el ends here
