"""What Alembic runs; the connection, its transaction and its lock are those of ``schema.upgrade``."""

from alembic import context

from adjudicator.store.tables import metadata

if __name__ == "env_py":  # the name under which Alembic runs this file; anybody else only looks at it
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True
    )
    context.run_migrations()
