package dev.heddle.process.environment;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EnvironmentRulesTest {

    private static final EnvironmentRules RULES = EnvironmentRules.standard();

    @ParameterizedTest
    @ValueSource(strings = {"OPENAI_API_KEY", "apikey", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "MYSQL_PASSWD",
        "GITHUB_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS", "GPG_PASSPHRASE", "NPM_AUTH", "AZURE_PAT", "SENTRY_DSN",
        "PGPASSFILE", "MYSQL_PWD", "SMTP_PASS", "DB_PASS_2", "PASS", "SSHPASS", "LDAP_BIND_PW", "BASIC_AUTH_USER",
        "AUTH", "AUTH_HEADER", "OAUTH2_CLIENT", "PROXY_AUTHORIZATION", "SSH_AUTH_SOCK", "DOCKER_AUTH_CONFIG",
        "XAUTHORITY", "JWT", "MY_JWT_2", "SESSION_COOKIE", "PAT", "GH_PAT_READ", "SLACK_WEBHOOK_URL", "BEARER",
        "AWS_CREDS", "AZURE_STORAGE_SAS", "SQLCONNSTR_MAIN", "DB_CONN_STRING", "HEDDLE_HOME", "HEDDLE_DB_URL",
        "heddle_log", "HEDDLE_JOB_ID"})
    void holdsSecretsBackByName(String name) {
        assertThat(inherits(name, "x")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HOME", "PATH", "PWD", "OLDPWD", "INIT_CWD", "MANPATH", "LD_LIBRARY_PATH", "FILE_PATTERN",
        "COMPATIBILITY", "LANG", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "AUTHOR", "OIDC_AUTHORITY", "BYPASS", "COMPASS",
        "PASSES", "NODE_SASS_BINARY", "XDG_SESSION_ID", "DISPLAY", "HEDDLES", "MY_HEDDLE_THING"})
    void passesWhatOnlyResemblesASecret(String name) {
        assertThat(inherits(name, "x")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres://ada:lovelace@db/x", "http://me:pw@proxy:3128/", "redis://:pw@cache",
        "postgres://ada:love/lace@db/x", "https://proxy.example,https://ada:pw@proxy.example/x",
        "--index-url https://ada:pw@pypi.example/simple", "https://ghp_0123@git.example/x.git",
        "jdbc:postgresql://db/x?user=ada&password=pw", "jdbc:sqlserver://db;user=ada;password=pw;encrypt=true",
        "jdbc:oracle:thin:scott/tiger@//db:1521/x", "https://hooks.example/x?access_token=abc",
        "https://store.example/blob?sv=1&sig=abc", "HTTPS://ada:pw@proxy"})
    void holdsUrlsWithCredentialsBack(String value) {
        assertThat(inherits("SOME_URL", value)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres://db/x", "postgres://ada@db/x", "ssh://git@git.example/x.git",
        "git@git.example:x.git", "http://proxy:3128", "http://proxy:3128/", "http://npm.example:4873/@scope/x",
        "http://[::1]:8080/a@b", "mongodb://a:27017,b:27017/x", "https://x.example/?page=2", "a:b@c",
        "ada@example.org"})
    void passesUrlsWithoutCredentials(String value) {
        assertThat(inherits("SOME_URL", value)).isTrue();
    }

    private static boolean inherits(String name, String value) {
        return RULES.environment(Map.of(name, value), Map.of(), Map.of()).containsKey(name);
    }

    @Test
    void inheritsOnlyBasicVariablesIfAsked() {
        Map<String, String> node = Map.of("PATH", "/bin", "LC_TIME", "C", "https_proxy", "http://proxy:3128",
                "HTTP_PROXY", "http://ada:pw@proxy:3128", "COMPANY_REGION", "eu", "DEPLOY_TARGET", "prod", "API_KEY",
                "x");
        EnvironmentRules basic = RULES.inheriting(EnvironmentRules.BASIC);

        assertThat(basic.inherit(node)).containsOnlyKeys("PATH", "LC_TIME", "https_proxy");
        assertThat(basic.allowing(List.of("COMPANY_*", "api_key")).inherit(node)).containsOnlyKeys("PATH", "LC_TIME",
                "https_proxy", "COMPANY_REGION", "API_KEY");
    }

    @Test
    void noBasicVariableLooksLikeASecret() {
        Map<String, String> basic = EnvironmentRules.BASIC.stream()
                .collect(Collectors.toMap(name -> name.replace("*", "X"), _ -> "x"));

        assertThat(RULES.inherit(basic)).isEqualTo(basic);
    }

    @Test
    void theNodesOwnVariablesPassOnlyIfTheyAreNamed() {
        Map<String, String> node = Map.of("HEDDLE_HOME", "/x", "HEDDLE_DB_PASSWORD", "pw", "MY_JOB_ID", "1", "MY_X",
                "2");

        assertThat(RULES.allowing(List.of("*")).inherit(node)).containsOnlyKeys("MY_JOB_ID", "MY_X");
        assertThat(RULES.allowing(List.of("heddle_home")).prefix("MY").inherit(node)).containsOnlyKeys("HEDDLE_HOME",
                "MY_X");
    }

    @Test
    void letsAllowedVariablesThrough() {
        Map<String, String> inherited = Map.of("OPENAI_API_KEY", "1", "OPENAI_ORG_KEY", "2", "OTHER_KEY", "3");

        assertThat(RULES.allowing(List.of("openai_*")).allowing(List.of("NOTHING")).environment(inherited, Map.of(),
                Map.of())).containsOnlyKeys("OPENAI_API_KEY", "OPENAI_ORG_KEY");
    }

    @Test
    void replacesThePatternsOfSecrets() {
        Map<String, String> inherited = Map.of("API_KEY", "1", "INTERNAL.HOST", "2", "INTERNALXHOST", "3");

        assertThat(RULES.secrets(List.of("internal.*")).environment(inherited, Map.of(), Map.of()))
                .containsOnlyKeys("API_KEY", "INTERNALXHOST");
    }

    @Test
    void passesExplicitVariablesButNeverOverHeddlesOwn() {
        Map<String, String> environment = RULES.environment(Map.of("A", "inherited", "HEDDLE_JOB_ID", "outer"),
                Map.of(EnvironmentVariable.JOB_ID, "42"),
                Map.of("A", "set", "API_KEY", "by hand", "HEDDLE_JOB_ID", "forged"));

        assertThat(environment)
                .containsExactlyInAnyOrderEntriesOf(Map.of("A", "set", "API_KEY", "by hand", "HEDDLE_JOB_ID", "42"));
    }

    @Test
    void namesHeddlesVariablesWithThePrefix() {
        Map<EnvironmentVariable, String> own = Map.of(EnvironmentVariable.JOB_ID, "1", EnvironmentVariable.WORKER_ID,
                "2", EnvironmentVariable.WORKTREE_PATH, "3", EnvironmentVariable.CONFIG_PATH, "4");

        assertThat(RULES.environment(Map.of(), own, Map.of())).containsOnlyKeys("HEDDLE_JOB_ID", "HEDDLE_WORKER_ID",
                "HEDDLE_WORKTREE_PATH", "HEDDLE_CONFIG_PATH");
        assertThat(RULES.prefix("ACODE").environment(Map.of(), own, Map.of())).containsOnlyKeys("ACODE_TASK_ID",
                "ACODE_WORKER_ID", "ACODE_WORKTREE_PATH", "ACODE_CONFIG_PATH");
        assertThat(RULES.prefix("MY").environment(Map.of(), own, Map.of())).containsKey("MY_JOB_ID");
    }

    @ParameterizedTest
    @CsvSource({"''", "1A", "A-B", "A B", "Ä"})
    void refusesAPrefixThatIsNotAName(String prefix) {
        assertThatThrownBy(() -> RULES.prefix(prefix)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + prefix + "'");
    }
}
