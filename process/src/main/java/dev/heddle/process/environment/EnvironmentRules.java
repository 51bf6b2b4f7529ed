package dev.heddle.process.environment;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which environment variables a process gets: those that it inherits from the node, those that its job type
 * sets, and those by which Heddle informs it. Immutable; each method returns a changed copy.
 *
 * <p>Patterns are not case-sensitive, and {@code *} matches any characters. In this order:
 *
 * <ol>
 * <li>The node's own {@code HEDDLE_*} variables are never inherited, unless an allowed pattern names that prefix.
 * <li>A variable that matches an allowed pattern is inherited.
 * <li>A variable that matches no inherited pattern is held back.
 * <li>So is one that matches a secret pattern, and one whose value contains a URL with credentials.
 * <li>Every other variable is inherited.
 * </ol>
 *
 * <p>A variable that a job type sets explicitly always passes.
 *
 * @param prefix the prefix of Heddle's own variables
 * @param inherited patterns of names that may be inherited
 * @param secrets patterns of names that are held back
 * @param allowed patterns of names that pass even if they look like secrets
 */
public record EnvironmentRules(String prefix, Set<String> inherited, Set<String> secrets, Set<String> allowed) {

    /** The default patterns of secrets. */
    public static final List<String> SECRETS = List.of("*KEY*", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*",
            "PASS", "*_PASS", "*_PASS_*", "PGPASS*", "SSHPASS", "*_PWD", "*_PW", "*TOKEN*", "*CREDENTIAL*", "*CREDS*",
            "*PRIVATE*", "*AUTH", "*AUTH_*", "*OAUTH*", "*AUTHORIZATION*", "*AUTHENTICATION*", "XAUTHORITY", "PAT",
            "PAT_*", "*_PAT", "*_PAT_*", "*JWT*", "*BEARER*", "*COOKIE*", "*WEBHOOK*", "*_SAS", "*_DSN",
            "*CONNECTION_STRING*", "*CONN_STR*", "*CONNSTR*");

    /** Patterns of the variables that nearly every program needs, and that contain no secrets. */
    public static final List<String> BASIC = List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "HOSTNAME", "LANG",
            "LANGUAGE", "LC_*", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CI", "TMPDIR", "TMP", "TEMP",
            "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "*_PROXY", "SSL_CERT_FILE",
            "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
            "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "JAVA_HOME", "GOPATH",
            "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "PYENV_ROOT", "VIRTUAL_ENV", "APPDATA", "LOCALAPPDATA",
            "COMSPEC", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES*", "SYSTEMDRIVE", "SYSTEMROOT", "USERPROFILE", "WINDIR");

    private static final Set<String> ANY = Set.of("*");
    private static final String HEDDLE = EnvironmentVariable.PREFIX + "_";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Copies the sets and checks the prefix. */
    public EnvironmentRules {
        inherited = Set.copyOf(inherited);
        secrets = Set.copyOf(secrets);
        allowed = Set.copyOf(allowed);
        if (!NAME.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "the prefix of environment variables must consist of letters, digits and _,"
                            + " and must not start with a digit: '" + prefix + "'");
        }
    }

    /** Returns the default rules: the prefix {@code HEDDLE}, and everything is inherited but the default secrets. */
    public static EnvironmentRules standard() {
        return new EnvironmentRules(EnvironmentVariable.PREFIX, ANY, Set.copyOf(SECRETS), Set.of());
    }

    /** Changes the prefix of Heddle's own variables. */
    public EnvironmentRules prefix(String newPrefix) {
        return new EnvironmentRules(newPrefix, inherited, secrets, allowed);
    }

    /** Replaces the patterns of variables that may be inherited, for example by {@link #BASIC}. */
    public EnvironmentRules inheriting(Collection<String> patterns) {
        return new EnvironmentRules(prefix, Set.copyOf(patterns), secrets, allowed);
    }

    /** Replaces the patterns of secrets. */
    public EnvironmentRules secrets(Collection<String> patterns) {
        return new EnvironmentRules(prefix, inherited, Set.copyOf(patterns), allowed);
    }

    /** Adds patterns of variables to let through. */
    public EnvironmentRules allowing(Collection<String> patterns) {
        Set<String> both = new LinkedHashSet<>(allowed);
        both.addAll(patterns);
        return new EnvironmentRules(prefix, inherited, secrets, both);
    }

    /**
     * Returns the environment of a process.
     *
     * @param node the environment of the node
     * @param own the variables by which Heddle informs the process; they override all others
     * @param set the variables that the job type sets; they override inherited ones
     */
    public Map<String, String> environment(Map<String, String> node, Map<EnvironmentVariable, String> own,
            Map<String, String> set) {
        Map<String, String> environment = new TreeMap<>(inherit(node));
        environment.putAll(set);
        own.forEach((variable, value) -> environment.put(variable.under(prefix), value));
        return environment;
    }

    /** Returns the variables that a process inherits from the node. */
    public Map<String, String> inherit(Map<String, String> node) {
        Predicate<String> isAllowed = anyOf(allowed);
        Predicate<String> isAllowedByPrefix = anyOf(
                allowed.stream().filter(EnvironmentRules::startsWithHeddle).collect(Collectors.toSet()));
        Predicate<String> isInherited = anyOf(inherited);
        Predicate<String> isSecret = anyOf(secrets);
        Map<String, String> passed = new TreeMap<>();
        node.forEach((name, value) -> {
            if (isOfNode(name) ? isAllowedByPrefix.test(name) : isAllowed.test(name)
                    || (isInherited.test(name) && !isSecret.test(name) && !UrlCredentials.isIn(value))) {
                passed.put(name, value);
            }
        });
        return passed;
    }

    /** Variables of the node itself, such as its home, and those of a job that started the node. */
    private boolean isOfNode(String name) {
        return startsWithHeddle(name)
                || Stream.of(EnvironmentVariable.values()).anyMatch(own -> own.under(prefix).equalsIgnoreCase(name));
    }

    private static boolean startsWithHeddle(String name) {
        return name.regionMatches(true, 0, HEDDLE, 0, HEDDLE.length());
    }

    private static Predicate<String> anyOf(Set<String> patterns) {
        String regex = patterns.stream().map(EnvironmentRules::glob).collect(Collectors.joining("|"));
        Pattern pattern = Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
        return name -> !patterns.isEmpty() && pattern.matcher(name).matches();
    }

    private static String glob(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (String literal : pattern.splitWithDelimiters("\\*", 0)) {
            regex.append(literal.equals("*") ? ".*" : Pattern.quote(literal));
        }
        return regex.toString();
    }
}
