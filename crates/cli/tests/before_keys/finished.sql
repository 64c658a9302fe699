-- Deployed by a version that knew things by name: it has come to its end.
PRAGMA user_version=5;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE deployment (
    key INTEGER PRIMARY KEY, name TEXT NOT NULL, incarnation BIGINT NOT NULL, status TEXT NOT NULL,
    phase TEXT NOT NULL, shown BIGINT, complete BIGINT NOT NULL, version BIGINT NOT NULL,
    events BIGINT NOT NULL, planned BIGINT NOT NULL DEFAULT 0, origin TEXT NOT NULL DEFAULT '', UNIQUE (name, incarnation));
INSERT INTO deployment VALUES(1,'shop',1,'CREATE_COMPLETE','idle',0,1,10,25,4,'18c723f23c245bac');
CREATE TABLE request (
    deployment BIGINT NOT NULL REFERENCES deployment, place BIGINT NOT NULL, kind TEXT NOT NULL,
    on_failure TEXT NOT NULL, desired TEXT NOT NULL, status TEXT NOT NULL, changed BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (deployment, place)) WITHOUT ROWID;
INSERT INTO request VALUES(1,0,'deploy','rollback','{"driver":"script","base":"@FOLDER@","place":"@MARK@","nodes":[{"name":"db","sort":"Service","properties":{"port":"5432"},"needs":[],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"}},{"name":"web[0]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}},{"name":"web[1]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}]}','success',10);
CREATE TABLE step (
    deployment BIGINT NOT NULL REFERENCES deployment, place BIGINT NOT NULL, node TEXT NOT NULL,
    does TEXT NOT NULL, operation TEXT NOT NULL, desired TEXT NOT NULL, needs TEXT NOT NULL,
    cleanup BIGINT NOT NULL, token TEXT NOT NULL, state TEXT NOT NULL, worker TEXT, until BIGINT NOT NULL,
    fence BIGINT NOT NULL, failures BIGINT NOT NULL, due BIGINT NOT NULL, reason TEXT NOT NULL, changed BIGINT NOT NULL DEFAULT 0, handle TEXT, since BIGINT NOT NULL DEFAULT 0, wait BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (deployment, place)) WITHOUT ROWID;
INSERT INTO step VALUES(1,0,'db','create','create','{"name":"db","sort":"Service","properties":{"port":"5432"},"needs":[],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"}}','[]',0,'db#1','done',NULL,0,1,0,0,'',7,NULL,0,0);
INSERT INTO step VALUES(1,1,'web[0]','create','create','{"name":"web[0]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}','[]',0,'web[0]#1','done',NULL,0,1,0,0,'',6,NULL,0,0);
INSERT INTO step VALUES(1,2,'web[1]','create','create','{"name":"web[1]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}','[]',0,'web[1]#1','done',NULL,0,1,0,0,'',7,NULL,0,0);
INSERT INTO step VALUES(1,3,'db','change','start','{"name":"db","sort":"Service","properties":{"port":"5432"},"needs":[],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"}}','[0]',0,'db#2','done',NULL,0,2,0,0,'',8,NULL,0,0);
INSERT INTO step VALUES(1,4,'web[0]','change','start','{"name":"web[0]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}','[1,3]',0,'web[0]#2','done',NULL,0,2,0,0,'',10,NULL,0,0);
INSERT INTO step VALUES(1,5,'web[1]','change','start','{"name":"web[1]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}','[2,3]',0,'web[1]#2','done',NULL,0,2,0,0,'',9,NULL,0,0);
CREATE TABLE node (
    deployment BIGINT NOT NULL REFERENCES deployment, name TEXT NOT NULL, present BIGINT NOT NULL,
    id TEXT NOT NULL, desired TEXT NOT NULL, outputs TEXT NOT NULL, serial BIGINT NOT NULL,
    fence BIGINT NOT NULL, condition TEXT NOT NULL DEFAULT 'whole', changed BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (deployment, name)) WITHOUT ROWID;
INSERT INTO node VALUES(1,'db',1,'i-db','{"name":"db","sort":"Service","properties":{"port":"5432"},"needs":[],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"}}','{"id":"i-db","url":"http://db"}',2,2,'whole',8);
INSERT INTO node VALUES(1,'web[0]',1,'i-web[0]','{"name":"web[0]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}','{"id":"i-web[0]","url":"http://web[0]"}',2,2,'whole',10);
INSERT INTO node VALUES(1,'web[1]',1,'i-web[1]','{"name":"web[1]","sort":"Service","properties":{"port":"8080"},"needs":[{"target":"db","at":1}],"phases":["created","configured","started"],"endings":["stopped"],"operations":{"create":"service.sh","delete":"service.sh","start":"service.sh"},"outputs":{"db_url":["db","url"]}}','{"id":"i-web[1]","url":"http://web[1]"}',2,2,'whole',9);
CREATE TABLE event (
    deployment BIGINT NOT NULL REFERENCES deployment, sequence BIGINT NOT NULL, rank BIGINT, token TEXT,
    node TEXT NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, at BIGINT NOT NULL, does TEXT,
    PRIMARY KEY (deployment, sequence)) WITHOUT ROWID;
INSERT INTO event VALUES(1,1,1,NULL,'','','submitted','by somebody',1795132291014,NULL);
INSERT INTO event VALUES(1,2,1,NULL,'','','queued','',1795132291035,NULL);
INSERT INTO event VALUES(1,3,1,NULL,'','','processing','',1795132291055,NULL);
INSERT INTO event VALUES(1,4,1,NULL,'','','partial','',1795132291055,NULL);
INSERT INTO event VALUES(1,5,NULL,NULL,'','','CREATE_IN_PROGRESS','',1795132291055,NULL);
INSERT INTO event VALUES(1,6,NULL,'db#1','db','create','claimed','by @MARK@-26386-1795132291063444050',1795132291063,'create');
INSERT INTO event VALUES(1,7,NULL,'db#1','db','create','intended','',1795132291063,'create');
INSERT INTO event VALUES(1,8,NULL,'web[0]#1','web[0]','create','claimed','by @MARK@-26386-1795132291063444050',1795132291063,'create');
INSERT INTO event VALUES(1,9,NULL,'web[0]#1','web[0]','create','intended','',1795132291063,'create');
INSERT INTO event VALUES(1,10,NULL,'web[1]#1','web[1]','create','claimed','by @MARK@-26386-1795132291063444050',1795132291063,'create');
INSERT INTO event VALUES(1,11,NULL,'web[1]#1','web[1]','create','intended','',1795132291063,'create');
INSERT INTO event VALUES(1,12,NULL,'web[0]#1','web[0]','create','done','i-web[0]',1795132291103,'create');
INSERT INTO event VALUES(1,13,NULL,'web[1]#1','web[1]','create','done','i-web[1]',1795132291109,'create');
INSERT INTO event VALUES(1,14,NULL,'db#1','db','create','done','i-db',1795132291109,'create');
INSERT INTO event VALUES(1,15,NULL,'db#2','db','start','claimed','by @MARK@-26386-1795132291063444050',1795132291109,'change');
INSERT INTO event VALUES(1,16,NULL,'db#2','db','start','intended','',1795132291109,'change');
INSERT INTO event VALUES(1,17,NULL,'db#2','db','start','done','i-db',1795132291171,'change');
INSERT INTO event VALUES(1,18,NULL,'web[0]#2','web[0]','start','claimed','by @MARK@-26386-1795132291063444050',1795132291171,'change');
INSERT INTO event VALUES(1,19,NULL,'web[0]#2','web[0]','start','intended','',1795132291171,'change');
INSERT INTO event VALUES(1,20,NULL,'web[1]#2','web[1]','start','claimed','by @MARK@-26386-1795132291063444050',1795132291171,'change');
INSERT INTO event VALUES(1,21,NULL,'web[1]#2','web[1]','start','intended','',1795132291171,'change');
INSERT INTO event VALUES(1,22,NULL,'web[1]#2','web[1]','start','done','i-web[1]',1795132291189,'change');
INSERT INTO event VALUES(1,23,NULL,'web[0]#2','web[0]','start','done','i-web[0]',1795132291190,'change');
INSERT INTO event VALUES(1,24,1,NULL,'','','success','',1795132291190,NULL);
INSERT INTO event VALUES(1,25,NULL,NULL,'','','CREATE_COMPLETE','',1795132291190,NULL);
CREATE INDEX step_changed ON step (deployment, changed);
CREATE INDEX node_changed ON node (deployment, changed);
COMMIT;
