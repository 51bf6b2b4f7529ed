package dev.heddle.process.environment;

import java.util.List;
import java.util.regex.Pattern;

/** Recognizes URLs that contain a password or a token. */
final class UrlCredentials {

    private static final List<Pattern> PATTERNS = List.of(
            // scheme://user:password@host. What follows the colon is not a port, so the password may contain a slash.
            Pattern.compile("://[^\\s/@:\\[]*:(?!\\d+(?:[/?#,;\\s]|$))\\S*@"),
            // https://token@host: other schemes often have a user without a password there, such as ssh://git@host
            Pattern.compile("\\bhttps?://[^\\s/?#@\\[]+@", Pattern.CASE_INSENSITIVE),
            // jdbc:oracle:thin:user/password@host
            Pattern.compile("\\bjdbc:oracle:\\w+:[^\\s/@]+/\\S+@", Pattern.CASE_INSENSITIVE),
            // scheme://host?password=…, jdbc:sqlserver://host;password=…
            Pattern.compile("(?:://|\\bjdbc:)\\S*[?&;]"
                    + "[\\w.-]*(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|signature|sig)=[^\\s&;]",
                    Pattern.CASE_INSENSITIVE));

    private UrlCredentials() {}

    /** Tells whether a text contains a URL with credentials. */
    static boolean isIn(String text) {
        return PATTERNS.stream().anyMatch(pattern -> pattern.matcher(text).find());
    }
}
