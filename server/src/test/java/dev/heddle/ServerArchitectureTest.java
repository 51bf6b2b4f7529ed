package dev.heddle;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** The arrows of the module: server → control → core. Each rule was seen to fail on a class that broke it. */
class ServerArchitectureTest {

    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.heddle.control", "dev.heddle.server");

    @Test
    void whatCanBeAskedKnowsNoServer() {
        assertThat(SERVER.size()).isGreaterThan(40);
        noClasses().that().resideInAPackage("dev.heddle.control").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.server", "io.javalin..", "org.eclipse.jetty..",
                        "jakarta.servlet..",
                        "io.micrometer..")
                .check(SERVER);
    }

    @Test
    void knowsNoDatabaseAndNoLoggingBackEnd() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.sql..", "dev.heddle.sqlite..",
                        "dev.heddle.postgres..", "java.sql..", "ch.qos.logback..")
                .check(SERVER);
    }

    @Test
    void theServerAsksTheStoreNothingBesideTheControl() {
        noClasses().that().resideInAPackage("dev.heddle.server").should().dependOnClassesThat()
                .haveFullyQualifiedName("dev.heddle.store.Store").check(SERVER);
    }

    @Test
    void timeComesIn() {
        noClasses().should().callMethod("java.time.Instant", "now").orShould()
                .callMethod("java.time.Clock", "systemUTC").check(SERVER);
    }
}
